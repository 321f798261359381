import { plan } from './generated/index.js'

export const morning = plan([
  { _tool: 'forecast', place: 'Oslo', _outputPath: '†state.forecast' },
  { _tool: 'heat', outside: '†state.forecast.celcius' },
])
