import type { WireRequest } from '../../base/system/wire.ts';

/** A request with a name in place of an id: in its path, or else once in its body. */
export function withName<Request extends Pick<WireRequest, 'url' | 'body'>>(
  request: Request,
  id: string,
  name: string,
): Request {
  const url = new URL(request.url);
  const parts = url.pathname.split('/');
  url.pathname = parts.map((part) => (part === id ? encodeURIComponent(name) : part)).join('/');
  const { body } = request;
  if (typeof body !== 'string') return { ...request, url };
  return { ...request, url, body: body.replace(`"${id}"`, () => JSON.stringify(name)) };
}
