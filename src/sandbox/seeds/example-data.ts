import { usualDoubleOptIn } from '../model/contact/double-opt-in.ts';
import type { Seed } from './seed-file.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** First name, last name, plan, outcome of their mail. */
const people = [
  ['Ana', 'Silva', 'pro', 'delivered'],
  ['Ben', 'Okafor', 'free', 'opened'],
  ['Chloe', 'Martin', 'pro', 'clicked'],
  ['Dmitri', 'Ivanov', 'free', 'bounced'],
  ['Elif', 'Kaya', 'team', 'delivered'],
  ['Farid', 'Haddad', 'team', 'opened'],
  ['Grace', 'Lee', 'free', 'complained'],
  ['Hugo', 'Garcia', 'pro', 'delayed'],
  ['Ines', 'Costa', 'pro', 'clicked'],
  ['Jonas', 'Berg', 'free', 'delivered'],
  ['Keiko', 'Tanaka', 'team', 'opened'],
  ['Liam', 'Walsh', 'free', 'delivered'],
] as const;

/** Days ago, states, bounce rate in percent, sample size, actor, reason. */
const reputation = [
  [45, 'HEALTHY', 'WARNING', 5.214, 1419, 'system', 'Bounce rate above 5%'],
  [43, 'WARNING', 'HEALTHY', 3.871, 1602, 'system', null],
  [30, 'HEALTHY', 'WARNING', 6.02, 1844, 'system', 'Bounce rate above 5%'],
  [29, 'WARNING', 'CRITICAL', 8.347, 1965, 'system', 'Bounce rate above 8%'],
  [28, 'CRITICAL', 'BLOCKED', 10.125, 2074, 'system', 'Bounce rate above 10%'],
  [26, 'BLOCKED', 'SUPERVISED', 10.125, 2074, 'suporte', 'List cleaned, sending under review'],
  [14, 'SUPERVISED', 'WARNING', 5.5, 2400, 'suporte', 'Review ended'],
  [7, 'WARNING', 'HEALTHY', 1.943, 3088, 'system', null],
] as const;

/** The example data, its dates counted back from `now`. Its ids are documented. */
export function exampleData(now: number): Seed {
  const [old, joined] = [now - 60 * day, now - 50 * day];
  const from = 'Example Shop <shop@example.com>';
  return {
    domains: [
      { name: 'example.com', createdAt: old, lastCheckedTime: old },
      { name: 'example.org', status: 'PENDING', createdAt: now - day },
      { name: 'example.net', status: 'NOT_STARTED', createdAt: now - hour },
    ],
    books: [
      {
        ...usualDoubleOptIn,
        id: 'book_customers',
        name: 'Customers',
        variables: ['plan'],
        doubleOptInEnabled: false,
        createdAt: joined,
      },
    ],
    contacts: people.map(([firstName, lastName, plan, outcome]) => ({
      id: `contact_${firstName.toLowerCase()}`,
      book: 'book_customers',
      email: `${outcome}+${firstName.toLowerCase()}@example.com`,
      firstName,
      lastName,
      properties: { plan },
      subscribed: firstName !== 'Liam',
      createdAt: joined,
    })),
    templates: [
      {
        id: 'tmpl_welcome',
        name: 'Welcome',
        subject: 'Welcome, {{name,fallback=friend}}!',
        html: '<h1>Welcome, {{name,fallback=friend}}!</h1><p>It is good to have you here.</p>',
        createdAt: joined,
      },
    ],
    // The first request processes their events, each with its own time.
    messages: [
      {
        id: 'email_welcome',
        from,
        to: 'opened+ben@example.com',
        subject: 'Welcome, Ben!',
        text: 'It is good to have you here.',
        at: now - 2 * day,
      },
      {
        id: 'email_receipt',
        from,
        to: 'delivered+ana@example.com',
        subject: 'Your receipt',
        text: 'Thank you for your order.',
        at: now - 3 * hour,
      },
    ],
    reputationEvents: reputation.map((event, index) => {
      const [daysAgo, fromState, toState, bounceRate, sampleSize, actor, reason] = event;
      const id = `rep_${index + 1}`;
      const createdAt = now - daysAgo * day;
      return { id, fromState, toState, bounceRate, sampleSize, actor, reason, createdAt };
    }),
  };
}
