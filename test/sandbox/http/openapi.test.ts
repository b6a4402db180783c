import { expect, test } from 'vitest';
import { operations } from '../../../src/api/operations.ts';
import { createWorld } from '../../support/run.ts';
import { startSandbox } from '../harness.ts';

/** The sandbox's description of itself. */
async function documentOf() {
  const { exitCode, stdout, stderr } = await createWorld().run('api GET /v1/doc --sandbox');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

test('GET /v1/doc describes each operation, and those beyond the contract', async () => {
  const { openapi, paths } = await documentOf();
  expect(openapi).toBe('3.1.0');
  for (const { id, method, path } of Object.values(operations)) {
    const described = paths[`/api${path}`][method.toLowerCase()];
    expect(described).toMatchObject({ operationId: id, responses: { 200: expect.anything() } });
    const inPath = described.parameters.filter((one: { in: string }) => one.in === 'path');
    const names = inPath.map(({ name, required }: { name: string; required: boolean }) => {
      expect(required).toBe(true);
      return `{${name}}`;
    });
    expect(names).toEqual(path.match(/\{\w+\}/g) ?? []);
  }
  expect(paths['/api/v1/contactBooks'].post).toMatchObject({ operationId: 'contactBook.create' });
  expect(paths['/api/v1/doc'].get.parameters).toEqual([]);
});

test('it has the query, the body and the reply', async () => {
  const { paths } = await documentOf();
  const json = 'application/json';
  const { get, post } = paths['/api/v1/emails'];
  expect(get.parameters).toContainEqual({
    name: 'limit',
    in: 'query',
    required: false,
    schema: expect.objectContaining({ type: 'integer', minimum: 1, maximum: 50 }),
  });
  expect(get).not.toHaveProperty('requestBody');
  expect(post.requestBody).toMatchObject({
    required: true,
    content: { [json]: { schema: { type: 'object', required: ['to', 'from'] } } },
  });
  expect(post.requestBody.content[json].schema.properties.headers).toEqual({
    type: 'object',
    propertyNames: { type: 'string', pattern: '^[!-9;-~]+$' },
    additionalProperties: { type: 'string', pattern: '^[^\\r\\n]+$' },
  });
  expect(post.responses[200].content[json].schema).toMatchObject({
    properties: { emailId: { type: 'string' } },
    required: ['emailId'],
  });
});

test('no schema refers to another one', async () => {
  expect(JSON.stringify(await documentOf())).not.toMatch(/"\$(ref|defs|schema)"/);
});

test('it needs no key', async () => {
  const { request } = startSandbox();
  expect(await request('GET', '/doc', { key: null })).toMatchObject({ status: 200 });
});
