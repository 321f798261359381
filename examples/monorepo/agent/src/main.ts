import { Activity, Tool } from '@delivery/contracts'
import { remoteActivities as reachActivities } from 'callsheet/server'
import { runAnswer } from './answer.js'
import { quote } from './quote.js'

const [worker = 'http://127.0.0.1:8080'] = process.argv.slice(2)
reachActivities(worker, { Tool, Activity, names: ['bookCourier', 'distance', 'findPlace'] })

const { kilometres, heading, euros } = await quote('Berlin', 'Oslo', 3)
console.log(`${kilometres} km to the ${heading}, ${euros} euros`)

// A typical model answer: prose and a code fence, References, and an announcement that the model wrote.
const answer = `Here you are:
\`\`\`json
[
  { "_tool": "findPlace", "name": "Paris", "country": "France", "_outputPath": "†state.here" },
  { "_tool": "findPlace", "name": "Oslo", "_outputPath": "†state.there" },
  { "_tool": "distance", "from": "†state.here", "to": "†state.there", "unit": "mi" },
  { "_tool": "announce", "booking": "D-1", "language": "en", "_output": "Your parcel is on its way." },
  { "_tool": "bookCourier", "kilometres": 10, "parcel": { "kilograms": 31 } }
]
\`\`\``
for (const outcome of await runAnswer(answer)) {
  console.log(outcome.tool, outcome.mode, outcome.status, outcome.error?.message ?? outcome.output)
}
