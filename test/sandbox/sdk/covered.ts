import { expect, test } from 'vitest';
import { type OperationId, operations } from '../../../src/api/operations.ts';
import { undocumentedRoutes } from '../../../src/sandbox/http/handlers/undocumented.ts';
import { succeededOf } from './client.ts';
import { methods, type Resource } from './methods.ts';

/** The last test of a file: it has called every method of the resource. */
export function testThatAllWereRun(resource: Resource): void {
  test(`every method of ${resource} was run, and asked for its operation`, () => {
    const lines = succeededOf(resource);
    const expected = Object.entries(methods[resource]).filter(
      ([, { operation }]) => operation !== 'never done',
    );
    expect(Object.keys(lines).sort()).toEqual(expected.map(([name]) => name).sort());
    for (const [name, { operation }] of expected) {
      for (const line of lines[name] ?? []) expect(line, name).toMatch(lineOf(operation));
    }
  });
}

/** Matches a request for the operation. */
function lineOf(id: string): RegExp {
  const operation = isContract(id)
    ? operations[id]
    : undocumentedRoutes.map((route) => route.operation).find((one) => `beyond ${one.id}` === id);
  if (operation === undefined) throw new Error(`there is no ${id}`);
  return new RegExp(`^${operation.method} ${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`);
}

function isContract(id: string): id is OperationId {
  return Object.hasOwn(operations, id);
}
