/** The part of an OpenTelemetry span that Callsheet uses; `Span` of `@opentelemetry/api` is assignable to it. */
export interface CallSpan {
  setAttribute(key: string, value: string | number | boolean): unknown
  setStatus(status: { code: number; message?: string }): unknown
  end(): void
}

/** The part of an OpenTelemetry tracer that Callsheet uses; `Tracer` of `@opentelemetry/api` is assignable to it. */
export interface CallTracer {
  startActiveSpan<Result>(
    name: string,
    options: { kind?: number; attributes?: Record<string, string | number | boolean> },
    work: (span: CallSpan) => Result,
  ): Result
}

/** Options for the spans of Calls (CALL-10). */
export interface TelemetryOptions {
  /** Adds parameters, outputs and error messages to the spans. Default: false, since they may be private. */
  readonly captureContent?: boolean | undefined
  /** The tracer to use instead of the globally registered one. */
  readonly tracer?: CallTracer | undefined
}

/**
 * The key under which `@opentelemetry/api` 1.x keeps its global state, shared by all of its copies. Reading that
 * instead of importing the package means that a process without OpenTelemetry loads nothing.
 */
const openTelemetry = Symbol.for('opentelemetry.js.api.1')

interface GlobalOpenTelemetry {
  readonly trace?: { getTracer(name: string): CallTracer }
}

/** Returns the current tracer; undefined if OpenTelemetry is not set up, or `telemetry` is false. */
export function activeTracer(options: false | TelemetryOptions | undefined): CallTracer | undefined {
  if (options === false) return undefined
  if (options?.tracer) return options.tracer
  const trace = (globalThis as { [openTelemetry]?: GlobalOpenTelemetry })[openTelemetry]?.trace
  // Asked within the span's own try, since a provider may throw.
  return trace && { startActiveSpan: (...given) => trace.getTracer('callsheet').startActiveSpan(...given) }
}
