/** How a request's connection ends. Set while the response is created. */
export interface Connection {
  /** What does not reach the client: there is no answer, or all or half of it is not sent. */
  lost?: 'no reply' | 'whole reply' | 'half reply';
}

/**
 * A request whose connection is to be closed instead of a response. With `cutReply`, the headers
 * and half of the body are sent first; otherwise nothing is.
 */
export class ConnectionLost extends Error {
  readonly cutReply: Response | undefined;

  constructor(cutReply?: Response) {
    super('A fault closes the connection.');
    this.cutReply = cutReply;
  }
}
