/** Messages and their translations by the live server in Portuguese; `{}` is a value such as a name. */
const words: Readonly<Record<string, string>> = {
  'No Authorization header provided': 'Nenhum cabeçalho Authorization foi enviado',
  'Invalid API token': 'Token de API inválido',
  'Rate limit exceeded. Try again in 1 second.':
    'Limite de requisições excedido. Tente novamente em 1 segundo.',
  'This account is blocked from sending': 'Esta conta está bloqueada para envios',
  'Malformed JSON in request body': 'JSON malformado no corpo da requisição',
  'something unexpected happened': 'Ocorreu um erro inesperado',

  'From email is invalid': 'O e-mail do remetente é inválido',
  'Domain {} of the sender is not one of this account':
    'O domínio {} do remetente não pertence a esta conta',
  'Domain {} is not verified': 'O domínio {} não está verificado',
  'Domain not found': 'Domínio não encontrado',
  'Domain verification started': 'Verificação do domínio iniciada',
  'Domain deleted successfully': 'Domínio excluído com sucesso',

  'Email not found': 'E-mail não encontrado',
  'Email already processed': 'O e-mail já foi processado',
  '"inReplyToId" is not the id of an email': '"inReplyToId" não é o id de um e-mail',
  'Failed to create any email records': 'Nenhum e-mail pôde ser criado',
  'Either text or html content must be provided.': 'É preciso enviar text ou html.',
  'Either subject or templateId must be provided.': 'É preciso enviar subject ou templateId.',
  'No emails provided for bulk send': 'Nenhum e-mail foi informado para o envio em lote',
  'An Idempotency-Key has {} to {} characters': 'Uma Idempotency-Key tem de {} a {} caracteres',
  'A request with this Idempotency-Key is in progress':
    'Uma requisição com esta Idempotency-Key está em andamento',
  'This Idempotency-Key was used with a different body':
    'Esta Idempotency-Key já foi usada com outro corpo',
  'This request took too long': 'A requisição demorou demais',

  'Campaign not found': 'Campanha não encontrada',
  'No subscribed contacts to send to': 'Não há contatos inscritos para o envio',
  'Either content or html must be provided.': 'É preciso enviar content ou html.',
  'A campaign must contain an unsubscribe link: {{usesend_unsubscribe_url}}':
    'Uma campanha deve conter um link para cancelar a inscrição: {{usesend_unsubscribe_url}}',
  'Invalid date format: {}. Use ISO 8601 or English such as "tomorrow 9am".':
    'Formato de data inválido: {}. Use ISO 8601 ou inglês, como "tomorrow 9am".',
  'Invalid content: it must be the JSON of an editor document':
    'Conteúdo inválido: deve ser o JSON de um documento do editor',

  'Contact book not found': 'Lista de contatos não encontrada',
  'Contact book not found for this team': 'Lista de contatos não encontrada para esta equipe',
  'Contact book deleted successfully': 'Lista de contatos excluída com sucesso',
  'Contact not found': 'Contato não encontrado',
  'An event needs a name': 'Um evento precisa de um nome',
  'Segment not found': 'Segmento não encontrado',
  'Template not found': 'Modelo não encontrado',
  'The content must have the placeholder {{doubleOptInUrl}}':
    'O conteúdo deve ter o marcador {{doubleOptInUrl}}',
  'Variable "{}" is reserved. Use a different name.':
    'A variável "{}" é reservada. Use outro nome.',
  'Queued {} contacts for processing': '{} contatos na fila de processamento',
};

const patterns = Object.entries(words)
  .filter(([english]) => english.includes('{}'))
  .map(([english, portuguese]) => ({ expected: pattern(english), portuguese }));

/** A message of the sandbox in Portuguese; `otherwise` if there is no translation. */
function translated(text: string, otherwise: string): string {
  const whole = Object.hasOwn(words, text) ? words[text] : undefined;
  if (whole !== undefined) return whole;
  for (const { expected, portuguese } of patterns) {
    const found = expected.exec(text)?.slice(1);
    if (found !== undefined) return portuguese.replace(/\{\}/g, () => found.shift() ?? '');
  }
  return otherwise;
}

function pattern(english: string): RegExp {
  const literal = english.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('(.*)')}$`, 's');
}

/** A response with its messages in Portuguese. */
export async function inPortuguese(answer: Response): Promise<Response> {
  if (!/^application\/json\b/.test(answer.headers.get('Content-Type') ?? '')) return answer;
  const body: unknown = await answer.clone().json();
  const said = answer.ok ? withMessage(body) : withMessages(body);
  return said === body ? answer : Response.json(said, { status: answer.status });
}

/** Translates only the top-level message: others may be stored data. */
function withMessage(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('message' in body)) return body;
  const { message } = body;
  return typeof message === 'string' ? { ...body, message: translated(message, message) } : body;
}

/** Translates the body of an error, in any of its shapes. */
function withMessages(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withMessages);
  if (typeof part !== 'object' || part === null) return part;
  const otherwise = 'path' in part ? 'Valor inválido' : 'Não foi possível processar a requisição';
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) =>
      typeof value === 'string' && (name === 'message' || name === 'error')
        ? [name, translated(value, otherwise)]
        : [name, withMessages(value)],
    ),
  );
}
