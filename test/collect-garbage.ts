import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Frees what nothing refers to, so that what is measured afterwards is kept, and no garbage of other tests. */
export const collectGarbage = runInNewContext('gc') as () => void
