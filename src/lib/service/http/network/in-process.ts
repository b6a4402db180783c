import type { Transport } from '../../../base/system/wire.ts';

/** A service that is a function, called without a network. */
export interface InProcessService {
  fetch(request: Request): Promise<Response>;
  close(): void;
}

/** A transport to a service in this process. */
export function inProcess(service: InProcessService): Transport {
  return {
    async send({ method, url, headers, body }, signal) {
      signal.throwIfAborted();
      const request = new Request(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      const response = await service.fetch(request);
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.text(),
      };
    },
    close: async () => service.close(),
  };
}
