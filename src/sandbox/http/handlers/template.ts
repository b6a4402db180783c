import type { Handlers } from '../call.ts';

export const templateHandlers: Handlers<'template.list'> = {
  'template.list': ({ store }) =>
    store.all<{ id: string; name: string; subject: string }>(
      'SELECT id, name, subject FROM templates ORDER BY id',
    ),
};
