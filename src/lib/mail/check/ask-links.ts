import { webLinksOf } from '../../../shared/check/links-of.ts';
import type { LinkAnswer, MessageContent } from '../../../shared/check/message.ts';
import { quoted } from '../../../shared/check/quoted.ts';
import { UsageError } from '../../base/errors.ts';
import type { ProbeFailure } from '../../base/system/probes.ts';
import type { System } from '../../base/system/system.ts';
import type { PageAnswer, Pages } from '../../base/system/web-pages.ts';
import { quantity } from '../../base/text/quantity.ts';
import type { Context } from '../../command-line/command/context.ts';
import { type ProxyRoute, readProxies } from '../../service/http/network/proxies.ts';
import { isTlsCode } from '../../service/http/network/tls-codes.ts';
import { tlsFailure } from '../../service/http/network/tls-failure.ts';

/** The most links that are requested, and how many at a time. */
const [mostLinks, atATime] = [200, 4];

/** The most redirects that are followed. */
const mostRedirects = 5;

/** What is needed to request pages. */
interface Asker {
  readonly system: System;
  readonly pages: Pages;
  readonly routeTo: (url: URL) => ProxyRoute;
}

/**
 * What servers reveal about an email's links, where it is worth reporting. Requests only public addresses.
 * Throws a `UsageError` behind a proxy, where the address is unknown.
 */
export async function askLinks(
  { system, notes, progress }: Context,
  email: MessageContent,
): Promise<ReadonlyMap<string, LinkAnswer>> {
  const urls = [...new Set(webLinksOf(email).map(({ url }) => url))];
  const asker = { system, pages: await system.pages(), routeTo: readProxies(system.env) };
  for (const url of urls) refuseProxy(asker.routeTo(new URL(url)));
  if (urls.length > mostLinks) {
    notes.warn(`The email has ${urls.length} links; only the first ${mostLinks} were requested.`);
  }
  const answers = new Map<string, LinkAnswer>();
  const left = urls.slice(0, mostLinks).values();
  const worker = async () => {
    for (const url of left) {
      const answer = await answerOf(new URL(url), asker);
      if (answer !== undefined) answers.set(url, answer);
    }
  };
  await progress.during(`Requesting ${quantity(urls.length, 'link')}`, async () => {
    await Promise.all(Array.from({ length: atATime }, worker));
  });
  return answers;
}

function refuseProxy(route: ProxyRoute): void {
  if (route.kind === 'direct') return;
  const { variable } = route.proxy;
  throw new UsageError(
    `--links does not work through a proxy (${variable}): mailer cannot see whether an address is public`,
    { hint: `If this machine reaches the internet without it: NO_PROXY='*' mailer email check …` },
  );
}

/** Follows a link to its page; undefined if there is nothing to report. */
async function answerOf(link: URL, asker: Asker): Promise<LinkAnswer | undefined> {
  let url = link;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const isRedirected = redirects > 0;
    const what = isRedirected
      ? `${quoted(link.href)} leads to ${quoted(url.href)}, which`
      : quoted(link.href);
    if (isRedirected && asker.routeTo(url).kind === 'proxy') {
      return unavailable(`${what} is behind a proxy: no request was sent.`);
    }
    const answer = await askPage(url, asker);
    if (answer.kind === 'private') {
      return {
        code: 'link-private',
        severity: 'warning',
        message: `${what} is at ${answer.address}, not a public address: no request was sent.`,
      };
    }
    if (answer.kind === 'failed') return ofFailure(what, answer.failure, asker.system);
    const { status, location } = answer;
    if (status === 404 || status === 410) return broken(`${what} was not found (${status}).`);
    if (status >= 400) return unavailable(`${what} could not be loaded: ${status}.`);
    if (status < 300 || location === undefined) return isRedirected ? moved(link, url) : undefined;
    const next = URL.parse(location, url.href);
    if (next === null)
      return unavailable(`${what} leads to ${quoted(location)}, which is not a URL.`);
    // Such as an app store's address, which only its own app opens.
    if (!/^https?:$/.test(next.protocol)) return moved(link, next);
    url = next;
  }
  return unavailable(`${quoted(link.href)} leads through more than ${mostRedirects} redirects.`);
}

/** Tries without content first. Many servers only support GET, or respond to HEAD with an error. */
async function askPage(url: URL, { pages, system: { signal } }: Asker): Promise<PageAnswer> {
  const answer = await pages.ask('HEAD', url, signal);
  const isRejected = answer.kind === 'answered' && answer.status >= 400 && answer.status !== 429;
  return isRejected ? await pages.ask('GET', url, signal) : answer;
}

function ofFailure(what: string, { code, message }: ProbeFailure, system: System): LinkAnswer {
  if (code === 'ENOTFOUND')
    return broken(`${what} cannot be opened: its host name does not exist.`);
  if (code === 'ETIMEDOUT') return unavailable(`${what} did not respond in time.`);
  if (code === 'ECONNREFUSED') return unavailable(`${what} refused the connection.`);
  if (code === 'ECONNRESET') return unavailable(`${what} closed the connection.`);
  if (code?.startsWith('HPE_')) return unavailable(`${what} did not send a valid HTTP response.`);
  if (!isTlsCode(code)) {
    return unavailable(`${what} could not be loaded: ${code || message}.`);
  }
  const { subject, predicate } = tlsFailure(code, message, system);
  return unavailable(
    subject === 'certificate'
      ? `${what} has no secure connection: its certificate ${predicate}.`
      : `${what} ${predicate}.`,
  );
}

function moved(link: URL, to: URL): LinkAnswer {
  return {
    code: 'link-redirect',
    message: `${quoted(link.href)} leads to ${quoted(to.href)}.`,
  };
}

function broken(message: string): LinkAnswer {
  return { code: 'link-broken', message };
}

function unavailable(message: string): LinkAnswer {
  return { code: 'link-unavailable', message };
}
