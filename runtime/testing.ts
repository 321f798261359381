// So that the compiler finds the names of all types.
export type {} from './agent.ts'
export {
  type Fault,
  type FaultKind,
  type FaultPlace,
  faultKinds,
  faultPlaces,
  type SaidFaultKind,
  saidFaultKinds,
  type WireFaultKind,
  wireFaultKinds,
} from './testing/faults.ts'
export type { ModelAnswer, ModelRequest } from './testing/model-answer.ts'
export type { ListenOptions, ModelServer } from './testing/model-server.ts'
export { type RandomModelOptions, randomModel } from './testing/random-model.ts'
export { type RecordedStep, type RunRecording, recordRun, shuffledReplay } from './testing/replay.ts'
export { type ScriptedAnswer, type ScriptedTurn, scriptedModel } from './testing/scripted-model.ts'
export { type TestModel, testModel } from './testing/test-model.ts'
