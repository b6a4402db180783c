import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Gives a user's project all packages installed here, such as mjml and React Email. */
export function withPackages({ home }: { readonly home: string }): void {
  const packages = fileURLToPath(new URL('../../node_modules', import.meta.url));
  symlinkSync(packages, join(home, 'node_modules'));
}

/** An email in MJML: a text and a button. */
export const mjmlEmail = `<mjml>
  <mj-head><mj-preview>In short</mj-preview></mj-head>
  <mj-body>
    <mj-section><mj-column>
      <mj-text color="{{ color }}">Hi {{ name }}</mj-text>
      <mj-button href="https://example.com/?n={{ name }}">Open</mj-button>
    </mj-column></mj-section>
  </mj-body>
</mjml>
`;

/** The same as a component, which imports another. */
export const reactEmail = {
  'emails/hello.tsx': `import { Link } from './link';

interface Props { readonly name: string; readonly items?: readonly string[] }

export default function Hello({ name, items = [] }: Props) {
  return (
    <html lang="en">
      <body>
        <p>{\`Hi \${name}\`}</p>
        <ul>{items.map((item) => <li key={item}>{item}</li>)}</ul>
        <Link href="https://example.com/">Open</Link>
      </body>
    </html>
  );
}

Hello.PreviewProps = { name: 'Example' };
`,
  'emails/link.tsx': `import type { ReactNode } from 'react';

export const Link = ({ href, children }: { href: string; children: ReactNode }) => (
  <a href={href}>{children}</a>
);
`,
} as const;
