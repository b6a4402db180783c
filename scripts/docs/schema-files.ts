import { commonDocuments, documentsOf } from '../../src/cli/model/documents.ts';
import { commandSchema, documentSchema, type JsonSchema } from '../../src/cli/model/schemas.ts';
import { manifest } from '../../src/commands/manifest.ts';

/** The JSON Schemas of all commands and of the documents that any command may print, by their names. */
export async function schemas(): Promise<readonly (readonly [name: string, schema: JsonSchema])[]> {
  const ofCommands = manifest.map(async ({ words, load }) => {
    const { command } = await load();
    const name = words.join(' ');
    return [name, commandSchema(name, await documentsOf(command))] as const;
  });
  return [
    ...(await Promise.all(ofCommands)),
    ...Object.entries(commonDocuments).map(
      ([name, one]) => [name, documentSchema(name, one)] as const,
    ),
  ];
}

/** The files of the schemas: `email-send.json`, and its text. */
export async function schemaFiles(): Promise<readonly (readonly [file: string, text: string])[]> {
  return (await schemas()).map(([name, schema]) => [
    `${name.replaceAll(' ', '-')}.json`,
    `${JSON.stringify(schema, null, 2)}\n`,
  ]);
}
