import { operations } from '../../../api/operations.ts';
import type { Handlers } from '../call.ts';
import { openApi } from '../openapi.ts';
import { undocumentedRoutes } from './beyond.ts';

export const serviceHandlers: Handlers<'service.doc'> = {
  'service.doc'() {
    const others = undocumentedRoutes.map(({ operation }) => operation);
    return openApi([...Object.values(operations), ...others]);
  },
};
