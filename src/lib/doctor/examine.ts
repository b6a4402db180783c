import { inspectConfig } from '../account/config/inspect.ts';
import type { Context } from '../command/context.ts';
import { MailerError } from '../errors.ts';
import { TransportError } from '../system/wire.ts';
import { hintFor } from '../text/job-hint.ts';
import { type Check, firstFailed, phrase, skipped } from './check.ts';
import { type FoundAccount, findAccount } from './check-account.ts';
import { checkClock } from './check-clock.ts';
import { checkConfig } from './check-config.ts';
import { type ConnectionChecks, checkConnection, findRoute, refused } from './check-connection.ts';
import { checkFeatures } from './check-features.ts';
import { checkKey } from './check-key.ts';
import { checkNode } from './check-node.ts';
import { checkPolicy } from './check-policy.ts';
import { checkUrl } from './check-url.ts';
import { probeService, type ServiceProbe } from './probe-service.ts';

/**
 * Checks every step from this Node to the service, each for at most `timeout` ms. Failures are not thrown.
 */
export async function examine(context: Context, timeout: number): Promise<Check[]> {
  const { system } = context;
  const look = inspectConfig(system);
  const found = findAccount(context, look, timeout);
  const [key, { way, answer }] = await Promise.all([found.key, reach(context, found, timeout)]);
  const config = checkConfig(context, look, found.account, found.ignored);
  const isKnown = typeof found.url === 'string';
  const cause = isKnown ? firstFailed([way.proxy, way.dns, way.tls]) : firstFailed([config]);
  const url = checkUrl(context, found, answer, cause);
  const checks = [
    checkNode(system),
    config,
    checkKey(context, found, key, answer, { url, config, timeout }),
    url,
    way.dns,
    way.tls,
    way.proxy,
    checkClock(system, answer),
    await checkFeatures(context, found.url, url),
    ...(await checkPolicy(context)),
  ];
  return checks.map((check) => {
    const { remedy } = check;
    return remedy === null ? check : { ...check, remedy: phrase(hintFor(system.env, remedy)) };
  });
}

interface Reached {
  readonly way: ConnectionChecks;
  readonly answer: ServiceProbe | undefined;
}

/** Makes one request over the whole way, and at the same time checks each step by itself. */
async function reach(context: Context, found: FoundAccount, timeout: number): Promise<Reached> {
  if (found.url instanceof MailerError)
    return { way: untried('There is no URL'), answer: undefined };
  const baseUrl = found.url;
  const url = new URL(baseUrl);
  const way = findRoute(context.system.env, url);
  if ('check' in way) {
    return { way: { ...untried('Not tried, as proxy failed'), proxy: way }, answer: undefined };
  }
  const request = async () => {
    const key = await found.key;
    const apiKey = key instanceof MailerError ? undefined : key;
    return await probeService(context, { baseUrl, apiKey });
  };
  const [checks, answer] = await Promise.all([
    checkConnection(context.system, url, way, timeout),
    request(),
  ]);
  // Plain http uses a proxy without a tunnel, so the proxy can only reject the request itself.
  const { cause } = answer.error ?? {};
  const status = cause instanceof TransportError ? cause.proxyStatus : undefined;
  return status === undefined || way.kind === 'direct'
    ? { way: checks, answer }
    : { way: { ...checks, proxy: refused(url, way.proxy, status) }, answer };
}

function untried(reason: string): ConnectionChecks {
  return {
    proxy: skipped('proxy', reason),
    dns: skipped('dns', reason),
    tls: skipped('tls', reason),
  };
}
