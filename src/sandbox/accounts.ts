import { testAccountIn } from './http/authenticate.ts';
import type { Refused } from './http/serve.ts';
import { testAccountOf } from './model/api-account.ts';
import { accountNames, hasAccount } from './seeds/accounts.ts';
import { ApiError, errorResponse } from './store/errors.ts';

/** The most test accounts of a sandbox. */
const most = 250;

/** What each account can do. */
interface Routed {
  fetch(request: Request): Promise<Response>;
  refused(refused: Refused): Promise<void>;
  /** Whether its data was deleted, so that it must be made again. */
  isGone(): boolean;
  close(): void;
}

interface AccountsOptions<Account> {
  /** Where the accounts are. */
  readonly directory: string;
  /** The sandbox's own account, which gets everything that is not for a test account. */
  readonly own: Account;
  /** Opens a test account, and makes it at its first use. */
  readonly open: (name: string) => Account;
  /** Called before the first use of a test account. */
  readonly opened: (account: Account) => Promise<void>;
  readonly log: (line: string) => void;
}

/** Whether a key selects the account. */
const isForPrograms = (path: string) => /^\/(api|control)(\/|$)/.test(path);

/** The page that a path without a page leads to, if there is one. */
function pageFor(path: string): string | undefined {
  if (/^\/accounts\/?$/.test(path)) return '/';
  return /^\/accounts\/[\w-]+$/.test(path) ? `${path}/` : undefined;
}

/**
 * Puts test accounts beside the sandbox's own one. The key of a request to the API or the control endpoint selects
 * the account, and makes it. The pages of an account are below `/accounts/NAME`, so that links need no key.
 */
export function withAccounts<Account extends Routed>(options: AccountsOptions<Account>) {
  const { directory, own, open, opened, log } = options;
  const inUse = new Map<string, { readonly account: Account; readonly ready: Promise<void> }>();

  async function named(name: string): Promise<Account> {
    const known = inUse.get(name);
    if (known !== undefined && !known.account.isGone()) {
      await known.ready;
      return known.account;
    }
    known?.account.close();
    inUse.delete(name);
    if (!hasAccount(directory, name) && accountNames(directory).length >= most) {
      const why = `The sandbox has ${most} test accounts already. To remove them: mailer sandbox reset`;
      throw new ApiError('FORBIDDEN', why);
    }
    const account = open(name);
    const ready = opened(account);
    inUse.set(name, { account, ready });
    try {
      await ready;
    } catch (error) {
      account.close();
      inUse.delete(name);
      throw error;
    }
    return account;
  }

  /** The account of a request, and the request as this account gets it. */
  async function routed(request: Request): Promise<[Account, Request]> {
    const url = new URL(request.url);
    if (isForPrograms(url.pathname)) {
      const name = testAccountIn(request.headers.get('Authorization'));
      return [name === undefined ? own : await named(name), request];
    }
    const [, name = '', path = ''] = /^\/accounts\/([^/]+)(\/.*)$/.exec(url.pathname) ?? [];
    if (!hasAccount(directory, name) || isForPrograms(path)) return [own, request];
    url.pathname = path;
    return [await named(name), new Request(url, request)];
  }

  return {
    async fetch(request: Request): Promise<Response> {
      const page = pageFor(new URL(request.url).pathname);
      if (page !== undefined)
        return new Response(null, { status: 302, headers: { location: page } });
      let to: [Account, Request];
      try {
        to = await routed(request);
      } catch (error) {
        const response = errorResponse(error);
        const { pathname } = new URL(request.url);
        const message = error instanceof Error ? error.message : String(error);
        if (response.status >= 500) log(`${request.method} ${pathname}: ${message}`);
        return response;
      }
      return await to[0].fetch(to[1]);
    },
    async refused(refused: Refused): Promise<void> {
      const name = testAccountIn(refused.request.headers.get('Authorization'));
      // A rejected request makes no account.
      const account = name === undefined ? own : inUse.get(name)?.account;
      await account?.refused(refused);
    },
    async account(key: string): Promise<Account | undefined> {
      const name = testAccountOf(key);
      return name === undefined ? undefined : await named(name);
    },
    close(): void {
      for (const { account } of inUse.values()) account.close();
      own.close();
    },
  };
}
