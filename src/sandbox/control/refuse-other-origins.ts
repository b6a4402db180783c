import type { MiddlewareHandler } from 'hono';
import { ApiError } from '../errors.ts';

/** Refuses what a web page of another origin sends. Programs send no Origin. */
export const refuseOtherOrigins: MiddlewareHandler = async ({ req }, next) => {
  const origin = req.header('Origin');
  if (origin !== undefined && origin !== new URL(req.url).origin) {
    throw new ApiError('FORBIDDEN', 'Requests of web pages are not taken here.');
  }
  await next();
};
