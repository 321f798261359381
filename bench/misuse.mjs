// What wrong code costs the compiler beside the same line put right (TYPE-7), as processor time and memory of a whole
// check of a thousand Tools by each compiler; and how soon an editor completes in a project of 117 Tools of real size
// with a declared context. Fails where a wrong line takes more than twice the right one, or a completion over 200 ms.
//
//   node bench/misuse.mjs [tools]
//
// Processor time, since it says the same on a machine that does other work. Needs dist/ (npm run build).

import { completionTimes } from './types/completion-times.mjs'
import { compilers, misuseCosts } from './types/misuse-costs.mjs'

const most = 2
const soon = 200
const size = Number(process.argv[2] ?? 1000)

console.log(`Of the right line, ${size} tools: processor time, memory`)
for (const version of compilers) {
  for await (const { name, time, memory } of misuseCosts(size, version)) {
    const verdict = hold(time <= most && memory <= most)
    console.log(`  TypeScript ${version}, ${name}: ${time.toFixed(2)}, ${memory.toFixed(2)}${verdict}`)
  }
}
console.log('Milliseconds to completions after an edit, 117 tools, a declared context, TypeScript 5.9')
for await (const { name, milliseconds, processor } of completionTimes()) {
  const used = processor === undefined ? '' : `, ${Math.round(processor)} of the processors`
  console.log(`  ${name}: ${Math.round(milliseconds)}${used}${hold(milliseconds < soon)}`)
}

function hold(isMet) {
  if (!isMet) process.exitCode = 1
  return isMet ? '' : '  EXCEEDED'
}
