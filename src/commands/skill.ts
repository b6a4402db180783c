import { schemas } from '../json-schemas/load.ts';
import type { SkillReply } from '../json-schemas/request-documents.ts';
import { defineCommand } from '../lib/command-line/command/command.ts';
import { documentOf } from '../lib/command-line/command/prints.ts';
import { textResult } from '../lib/command-line/output/result.ts';

export const command = defineCommand({
  description:
    'The page is in Markdown, for an agent that runs command lines for a person: what to call, what exit codes mean, and what never to do. docs/agents.md explains it.',
  effects: {},
  prints: [documentOf('the page', schemas.request('skillReply'))],
  examples: {
    'mailer skill > SKILL.md': 'As a file for an agent',
  },
  withoutAccount: true,
  async run(context) {
    const { skillPage } = await import('../lib/agents/skill/skill-page.ts');
    const page = skillPage(await context.models([]));
    return textResult({ reply: { page } satisfies SkillReply, text: page.trimEnd() });
  },
});
