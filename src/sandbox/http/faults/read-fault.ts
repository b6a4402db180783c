import { operations } from '../../../api/operations.ts';
import { contractRoutes } from '../handlers/all.ts';
import { undocumentedRoutes } from '../handlers/undocumented.ts';
import { type Fault, FaultSyntaxError, parseFault } from './fault.ts';
import { matchesRoute } from './matches-route.ts';

/**
 * Reads a fault as `parseFault` does. Also throws `FaultSyntaxError` if it applies to no operation:
 * otherwise a test with a misspelt path would pass without its fault.
 */
export function readFault(text: string): Fault {
  const fault = parseFault(text);
  const { method, path } = fault;
  if (method === 'SMTP') return fault;
  const routes = [...contractRoutes, ...undocumentedRoutes].map(({ operation }) => operation);
  const concerned = routes.filter((route) => matchesRoute(fault, route.method, route.path));
  if (fault.effect.kind === 'short' && !concerned.some(({ id }) => id === 'email.batch')) {
    const { method, path } = operations['email.batch'];
    throw new FaultSyntaxError(
      `"${fault.text}" is not a fault: short is for ${method} ${path} only.`,
    );
  }
  if (concerned.length > 0) return fault;
  const missing = routes.some((route) =>
    matchesRoute({ method: '*', path }, route.method, route.path),
  )
    ? `${method} ${path}`
    : path;
  throw new FaultSyntaxError(`"${fault.text}" is not a fault: the sandbox has no ${missing}.`);
}
