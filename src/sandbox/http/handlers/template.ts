import {
  contentHtml,
  listedTemplates,
  shownTemplate,
  storeTemplate,
} from '../../model/templates.ts';
import type { Handlers } from '../call.ts';

export const templateHandlers: Handlers<'template'> = {
  'template.list': ({ store }) => listedTemplates(store),

  'template.get': ({ store, input }) => shownTemplate(store, input.params.templateId),

  'template.create': ({ store, now, input: { body } }) =>
    store.write(() => shownTemplate(store, storeTemplate(store, body, now))),

  'template.render': ({ input }) => ({ html: contentHtml(input.body.content) }),
};
