import * as z from 'zod';
import type { Operation } from '../../api/operation.ts';

/** An OpenAPI 3.1 document, with schemas in JSON Schema 2020-12. */
export function openApi(operations: readonly Operation[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = `/api${operation.path}`;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Sandbox of an email delivery service', version: '1' },
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    paths,
  };
}

function describe({ id, input, reply }: Operation) {
  const { params, query, body } = input.shape;
  return {
    operationId: id,
    parameters: [...parameters(params, 'path'), ...parameters(query, 'query')],
    ...(body === undefined ? {} : { requestBody: { required: true, ...content(body, 'input') } }),
    responses: { 200: { description: 'Done', ...content(reply, 'output') } },
  };
}

function parameters(fields: z.core.$ZodType | undefined, place: 'path' | 'query') {
  if (fields === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(fields, 'input');
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema,
  }));
}

function content(schema: z.core.$ZodType, io: 'input' | 'output') {
  return { content: { 'application/json': { schema: schemaOf(schema, io) } } };
}

function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output') {
  // OpenAPI 3.1 implies the version of JSON Schema.
  const { $schema: _, ...shown } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return shown;
}
