import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** Which socket the bytes of a request have been given to last. */
const sockets = new WeakMap<object, Pick<Socket, 'writableLength'>>();
let watches = false;

/** From now on, what undici sends is looked at: it says itself which socket it takes. */
export function watchSockets(): void {
  if (watches) return;
  watches = true;
  // https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md
  subscribe('undici:client:sendHeaders', (message) => {
    const { request, socket } = message as {
      readonly request: { readonly body: unknown };
      readonly socket: Socket;
    };
    if (typeof request.body === 'object' && request.body !== null) {
      sockets.set(request.body, socket);
    }
  });
}

/** Whether the system has all the bytes of a request. False where that is not known. */
export function haveLeft(bytes: Uint8Array): boolean {
  return sockets.get(bytes)?.writableLength === 0;
}
