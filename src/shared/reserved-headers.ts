/** Headers that are set from other fields, or that describe encoding and route. */
const reserved =
  /^(from|to|cc|bcc|subject|date|reply-to|message-id|mime-version|content-.*|return-path|received|resent-.*|dkim-signature|domainkey-signature|authentication-results|arc-.*)$/i;

/** Whether services of this kind silently drop a custom header of this name. */
export function isReservedHeader(name: string): boolean {
  return reserved.test(name);
}
