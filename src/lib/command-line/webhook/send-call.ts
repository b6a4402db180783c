import type { System } from '../../base/system/system.ts';
import { TransportError } from '../../base/system/wire.ts';
import { redact } from '../../service/http/redact.ts';

/** How long a handler may take, in milliseconds. */
const patience = 10_000;

/** What is kept of a handler's response, in characters. */
export const keptCharacters = 4096;

/** What a handler said. */
export interface HandlerResponse {
  /** Whether the service would count the call as delivered. */
  readonly delivered: boolean;
  /** Null if there was no response. */
  readonly status: number | null;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, or why there was no response. */
  readonly response: string;
  readonly milliseconds: number;
}

type Sender = Pick<System, 'network' | 'env' | 'platform' | 'node' | 'monotonic' | 'signal'>;

/** A call as bytes on the wire. */
export interface WireCall {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export type CallSender = Awaited<ReturnType<typeof openSender>>;

/**
 * Opens a sender of calls, which waits ten seconds for each response and follows no redirect, as the service does. It
 * removes `secret` from responses. Only an abort of the system's signal is thrown.
 */
export async function openSender(system: Sender, secret: string | undefined) {
  const { env, platform, node } = system;
  const transport = await system.network({ env, platform, node });
  const hide = (text: string) => redact(text, secret === undefined ? [] : [secret]);
  return {
    close: () => transport.close(),
    async send({ url, headers, body }: WireCall): Promise<HandlerResponse> {
      const from = system.monotonic();
      const signal = AbortSignal.any([system.signal, AbortSignal.timeout(patience)]);
      const took = () => Math.round(system.monotonic() - from);
      try {
        const reply = await transport.send({ method: 'POST', url, headers, body }, signal);
        return {
          delivered: reply.status >= 200 && reply.status < 300,
          status: reply.status,
          headers: reply.headers,
          response: hide(reply.body),
          milliseconds: took(),
        };
      } catch (error) {
        if (system.signal.aborted) throw error;
        const isFailure = error instanceof TransportError;
        if (!isFailure && !signal.aborted) throw error;
        const response = isFailure
          ? hide(error.message)
          : `No response within ${patience / 1000} seconds.`;
        return { delivered: false, status: null, headers: {}, response, milliseconds: took() };
      }
    },
  };
}
