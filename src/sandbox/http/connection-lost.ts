/** How a request's connection ends. Set while the response is created. */
export interface Connection {
  /** The fault that ends it: there is no response, or all or half of it is not sent. */
  lost?: 'drop' | 'drop-reply' | 'cut-reply';
}

/** Closes the connection instead of a response, after the headers and half the body of `cutReply`. */
export class ConnectionLost extends Error {
  readonly cutReply: Response | undefined;

  constructor(cutReply?: Response) {
    super('A fault closes the connection.');
    this.cutReply = cutReply;
  }
}
