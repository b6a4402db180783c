import { operations } from '../../../api/operations.ts';
import type { Handlers } from '../call.ts';
import { undocumentedRoutes } from './beyond.ts';

export const serviceHandlers: Handlers<'service.doc'> = {
  async 'service.doc'() {
    const { openApi } = await import('../openapi.ts');
    const others = undocumentedRoutes.map(({ operation }) => operation);
    return openApi([...Object.values(operations), ...others]);
  },
};
