// node scripts/check/condense-support.js DATA.json: writes src/shared/check/support-data.json anew from the
// data of caniemail.com. DATA.json is https://www.caniemail.com/api/data.json, or data/caniemail.json of the npm
// package `caniemail`; docs/decisions/check.md says where the shares of the mail programs come from.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { root } from '../checkout.js';

/** Shares of opened emails in percent, by the program and the platform of caniemail. */
const shares = {
  'apple-mail.ios': 34.2 + 1.7,
  'apple-mail.macos': 10.4,
  // The source counts all Gmail programs as one: each of the four gets a quarter.
  'gmail.desktop-webmail': 30.7 / 4,
  'gmail.ios': 30.7 / 4,
  'gmail.android': 30.7 / 4,
  'gmail.mobile-webmail': 30.7 / 4,
  'outlook.windows': 7.3,
  'outlook.ios': 0.8,
  'outlook.android': 0.8,
  'outlook.outlook-com': 0.9,
  'yahoo.desktop-webmail': 4.7 / 3,
  'yahoo.ios': 4.7 / 3,
  'yahoo.android': 4.7 / 3,
  'samsung-email.android': 1.6,
};

/** Features that every email uses, or that make no difference. */
const leftOut =
  /^(amp|bimi|html-(body|doctype|comments|meta-color-scheme)|css-(comments|color-scheme|selector-(type|class|id|grouping|descendant|chaining)|border-inline-block.*))$/;

/** What to look for if neither slug nor title says it. */
const special = {
  'css-gap': ['property gap', 'property row-gap'],
  'css-left-right-top-bottom': ['left', 'right', 'top', 'bottom'].map((one) => `property ${one}`),
  'css-grid-template': ['columns', 'rows', 'areas'].map((one) => `property grid-template-${one}`),
  'css-column-layout-properties': [
    'columns',
    'column-rule',
    'column-width',
    'column-span',
    'column-fill',
  ].map((one) => `property ${one}`),
  'css-border-radius-logical': ['start-start', 'start-end', 'end-start', 'end-end'].map(
    (one) => `property border-${one}-radius`,
  ),
  'css-scroll-snap': ['property scroll-snap-type', 'property scroll-snap-align'],
  'css-flex-direction': ['value flex-direction column'],
  'css-flex-wrap': ['value flex-wrap wrap'],
  'css-display-flex': ['value display flex', 'value display inline-flex'],
  'css-display-grid': ['value display grid', 'value display inline-grid'],
  'css-display-none': ['value display none'],
  'css-important': ['important'],
  'css-inert-attribute': ['attribute inert'],
  'css-intrinsic-size': ['fit-content', 'min-content', 'max-content'].map(
    (one) => `keyword ${one}`,
  ),
  'css-modern-color': ['lch', 'oklch', 'lab', 'oklab'].map((one) => `function ${one}`),
  'css-nesting': ['nesting'],
  'css-sytem-ui': ['system-ui', 'ui-serif', 'ui-sans-serif', 'ui-rounded', 'ui-monospace'].map(
    (one) => `keyword ${one}`,
  ),
  'css-unit-calc': ['function calc'],
  'css-unit-initial': ['keyword initial'],
  'css-unit-percent': ['unit %'],
  'css-variables': ['custom property'],
  'css-at-media-device-pixel-ratio': ['media -webkit-device-pixel-ratio'],
  'css-at-media-hover': ['media hover', 'media any-hover'],
  'html-address': ['element address'],
  'html-anchor-links': ['link #'],
  'html-base': ['element base'],
  'html-button-reset': ['button reset'],
  'html-button-submit': ['button submit'],
  'html-h1-h6': ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((one) => `element ${one}`),
  'html-image-maps': ['element map'],
  'html-lists': ['element ul', 'element ol', 'element dl'],
  'html-mailto-links': ['link mailto'],
  'html-meta-color-scheme': ['meta color-scheme'],
  'html-semantics': [
    'article',
    'aside',
    'figure',
    'figcaption',
    'footer',
    'header',
    'main',
    'nav',
    'section',
  ].map((one) => `element ${one}`),
  'html-srcset': ['attribute srcset', 'attribute sizes'],
  'html-svg': ['element svg'],
  'image-base64': ['image data:'],
  'image-jpg': ['image jpg', 'image jpeg'],
  'image-tiff': ['image tif', 'image tiff'],
  'image-heif': ['image heif', 'image heic'],
};

/** The signs in HTML or CSS that a feature is used: a kind and a name. */
function keysOf({ slug, title }) {
  if (slug in special) return special[slug];
  const by = (pattern, kind) => {
    const [, name] = pattern.exec(slug) ?? [];
    return name === undefined ? [] : [`${kind} ${name}`];
  };
  const found = [
    ...by(/^css-at-media-(.+)$/, 'media'),
    ...by(/^css-at-(?!media-)(.+)$/, 'at'),
    ...by(/^css-pseudo-class-(.+)$/, 'pseudo'),
    ...by(/^css-pseudo-element-(.+)$/, 'pseudo-element'),
    ...by(/^css-selector-(.+)$/, 'selector'),
    ...by(/^css-unit-(.+)$/, 'unit'),
    ...by(/^css-function-(.+)$/, 'function'),
    ...by(/^css-(\w+-gradient|rgba?)$/, 'function'),
    ...by(/^html-input-(.+)$/, 'input'),
    ...by(/^image-(.+)$/, 'image'),
  ];
  if (found.length > 0) return found;
  const [, element] = /^<(\w+)>/.exec(title) ?? [];
  if (element !== undefined) return [`element ${element}`];
  const [, attribute] = /^([\w-]+) attribute$/.exec(title) ?? [];
  if (attribute !== undefined) return [`attribute ${attribute}`];
  const names = title.replace(/ (CSS )?(property|shorthand)$/, '').split(/\s*[&,]\s*/);
  return slug.startsWith('css-') && names.every((name) => /^[\w-]+\s*$/.test(name))
    ? names.map((name) => `property ${name.trim()}`)
    : undefined;
}

const [, , path] = process.argv;
if (path === undefined) throw new Error('usage: condense-support.js DATA.json');
const { data, nicenames, last_update_date: updated } = JSON.parse(readFileSync(path, 'utf8'));
const clients = Object.keys(shares);
const features = [];
for (const feature of data) {
  if (leftOut.test(feature.slug)) continue;
  const keys = keysOf(feature);
  if (keys === undefined) {
    process.stderr.write(`${feature.slug}: nothing shows that it is used; it is left out\n`);
    continue;
  }
  // y, n, a (partly) or u (unknown), in the newest version of each program.
  const support = clients.map((client) => {
    const [family, platform] = client.split('.');
    const versions = Object.values(feature.stats[family]?.[platform] ?? {});
    return /^[yna]/.exec(versions.at(-1) ?? '')?.[0] ?? 'u';
  });
  features.push([feature.slug, feature.title.trim(), keys, support.join('')]);
}
const lines = features.map((feature) => `    ${JSON.stringify(feature)}`);
writeFileSync(
  resolve(root, 'src/shared/check/support-data.json'),
  `{
  "source": "https://www.caniemail.com/api/data.json",
  "updated": ${JSON.stringify(updated.slice(0, 10))},
  "licence": "MIT License, Copyright (c) 2019 HTeuMeuLeu",
  "shares": "Litmus, all of 2020, https://commondenominator.email/email-client-market-share-in-2020-whats-most-popular-infographic",
  "clients": [
${clients
  .map((client) => {
    const [family] = client.split('.');
    return `    ${JSON.stringify([client, nicenames.family[family], Number(shares[client].toFixed(3))])}`;
  })
  .join(',\n')}
  ],
  "features": [
${lines.join(',\n')}
  ]
}
`,
);
process.stdout.write(`${features.length} features of ${updated.slice(0, 10)}\n`);
