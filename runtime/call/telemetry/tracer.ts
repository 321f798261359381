/** What Callsheet uses of an OpenTelemetry span; `Span` of `@opentelemetry/api` fits. */
export interface CallSpan {
  setAttribute(key: string, value: string | number | boolean): unknown
  setStatus(status: { code: number; message?: string }): unknown
  end(): void
}

/** What Callsheet uses of an OpenTelemetry tracer; `Tracer` of `@opentelemetry/api` fits. */
export interface CallTracer {
  startActiveSpan<Result>(
    name: string,
    options: { kind?: number; attributes?: Record<string, string | number | boolean> },
    work: (span: CallSpan) => Result,
  ): Result
}

/** How Calls are traced (CALL-10). */
export interface TelemetryOptions {
  /** Parameters, outputs and error messages go into the spans as well. Off by default: they may be private. */
  readonly captureContent?: boolean | undefined
  /** Takes the spans in place of the tracer provider that is set up globally. */
  readonly tracer?: CallTracer | undefined
}

/**
 * Where `@opentelemetry/api` 1.x keeps what was set up, shared by all of its copies. Looking there and not importing it
 * means that nothing is loaded, or asked for, in a process that has no OpenTelemetry.
 */
const openTelemetry = Symbol.for('opentelemetry.js.api.1')

interface GlobalOpenTelemetry {
  readonly trace?: { getTracer(name: string): CallTracer }
}

/** The tracer of this moment; undefined where nobody set up OpenTelemetry, or the run says no. */
export function activeTracer(options: false | TelemetryOptions | undefined): CallTracer | undefined {
  if (options === false) return undefined
  if (options?.tracer) return options.tracer
  const api = (globalThis as { [openTelemetry]?: GlobalOpenTelemetry })[openTelemetry]
  return api?.trace?.getTracer('callsheet')
}
