// So that the compiler finds the names of all types.
export type {} from './index.ts'
export type { ServedRunOptions } from './server/call-runner.ts'
export type { Authorize, GateOptions, Principal } from './server/gate.ts'
export type { ServerLimits } from './server/limits.ts'
export type { OutcomeJson } from './server/outcome-json.ts'
export {
  type Claim,
  type MemoryStoreOptions,
  memoryStore,
  type OutcomeStore,
} from './server/outcome-store.ts'
export type { OAuthOptions } from './server/protected-resource.ts'
export {
  type ActivityTarget,
  type RemoteActivitiesOptions,
  remoteActivities,
} from './server/remote-activities.ts'
export { type HttpServer, type ServeHttpOptions, serveHttp } from './server/serve-http.ts'
export { type StdioServer, serveStdio } from './server/serve-stdio.ts'
export type { ServableTool, ServedTool } from './server/served-tools.ts'
export { type SqliteDatabase, type SqliteStoreOptions, sqliteStore } from './server/sqlite-store.ts'
export type { ToolServerOptions } from './server/tool-handler.ts'
export { type ToolServer, toolServer } from './server/tool-server.ts'
