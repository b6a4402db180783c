/** What becomes of a request's connection. Written while the answer is made. */
export interface Connection {
  /** What does not reach the client: there is no answer, or all or half of it is not sent. */
  lost?: 'no reply' | 'whole reply' | 'half reply';
}

/**
 * A request whose connection is to be closed in place of an answer. Of `cutReply` the headers and
 * half of the body go out before; without it nothing at all does.
 */
export class ConnectionLost extends Error {
  readonly cutReply: Response | undefined;

  constructor(cutReply?: Response) {
    super('A fault closes the connection.');
    this.cutReply = cutReply;
  }
}
