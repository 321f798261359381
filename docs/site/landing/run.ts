import { Activity, Tool } from './generated/index.js'

Activity.register('forecast', ({ place }) => ({
  celsius: place === 'Oslo' ? -3 : 21,
  sky: 'clear',
}))

// A model's answer: text with Calls in it.
const answer = `Sure! {"_tool": "forecast", "place": "Oslo"}
  and {"_tool": "forecast", "place": "Rome", "day": "later"}`

for (const call of Tool.parse(answer)) {
  const { output, error } = await Tool.run(call)
  console.log(output ?? error?.message)
}
