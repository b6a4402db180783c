/** Headers that come from other fields, or describe encoding and route. */
const reserved =
  /^(from|to|cc|bcc|subject|date|reply-to|message-id|mime-version|content-.*|return-path|received|resent-.*|dkim-signature|domainkey-signature|authentication-results|arc-.*)$/i;

/** Whether services of this kind leave out a custom header of this name, without an error. */
export function isReservedHeader(name: string): boolean {
  return reserved.test(name);
}
