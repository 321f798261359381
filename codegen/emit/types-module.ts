import type { Settings } from '../config/settings.ts'

/** Returns the file of the types: a declaration file if declaration maps are configured. */
export function typesPath({ declarationMaps }: Settings): string {
  return declarationMaps ? 'types.d.ts' : 'types.ts'
}

/** Returns the specifier by which generated files import the types. One with an extension names `.d.ts` completely. */
export function typesModule(folder: '.' | '..', settings: Settings): string {
  const { importExtension } = settings
  return importExtension === '.ts' ? `${folder}/${typesPath(settings)}` : `${folder}/types${importExtension}`
}
