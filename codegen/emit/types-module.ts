import type { Settings } from '../config/settings.ts'

/** The file that the types go into: a declaration file where editors are to be led on from it. */
export function typesPath({ declarationMaps }: Settings): string {
  return declarationMaps ? 'types.d.ts' : 'types.ts'
}

/** How generated files of a folder import the types; a declaration file that is named with its ending is named whole. */
export function typesModule(folder: '.' | '..', settings: Settings): string {
  const { importExtension } = settings
  return importExtension === '.ts' ? `${folder}/${typesPath(settings)}` : `${folder}/types${importExtension}`
}
