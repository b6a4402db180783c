/** HTML that takes a careless program long, or all of its stack, by what it is made of; about `size` pieces of it. */
export const hostileHtml: Readonly<Record<string, (size: number) => string>> = {
  'deep nesting': (size) => '<div>'.repeat(size),
  'the beginnings of merge tags': (size) => '*|a[%b[[data:c{!d<%e%%=f$[G<<h'.repeat(size),
  'end tags without a start': (size) => '<p>'.repeat(size) + '</b>'.repeat(size),
  'deep nesting, closed': (size) => '<b>'.repeat(size) + '</b>'.repeat(size),
  'one large attribute': (size) => `<p style="${'a'.repeat(10 * size)}">`,
  'many attributes': (size) =>
    `<p ${Array.from({ length: size }, (_, at) => `a${at}=1`).join(' ')}>`,
  'a style sheet without an end': (size) => `<style>${'a{'.repeat(size)}`,
  brackets: (size) => `<style>a{b:${'('.repeat(size)}`,
  selectors: (size) => `<style>${'a>'.repeat(size)}{}`,
  declarations: (size) => `<p style="${'color:red;'.repeat(size)}">x`,
  braces: (size) => '{{'.repeat(size),
  'open tags': (size) => '<a '.repeat(size),
  comments: (size) => '<!--'.repeat(size),
  links: (size) => '<a href="https://a.example/?a=1">'.repeat(size / 10),
  quotes: (size) => `<a href="${'"'.repeat(size)}`,
  unsubscribe: (size) => 'href=x'.repeat(size),
  'tags without text': (size) => `<p>Hi ,${'<b></b>'.repeat(size)}undefined`,
  'a tag within tags': (size) => `<p ${'x<b '.repeat(5 * size)}`,
  'a table of blanks': (size) => `a|b\n-|-${' '.repeat(10 * size)}x\nc|d|e`,
  'an address with many dots': (size) => `<a href="mailto:a@${'b.'.repeat(10 * size)}@">x</a>`,
};
