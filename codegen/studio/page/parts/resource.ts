import { type ReadonlySignal, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** A requested value: waiting, present, or failed. */
export type Resource<Value> =
  | { readonly state: 'waiting' }
  | { readonly state: 'there'; readonly value: Value }
  | { readonly state: 'failed'; readonly message: string }

/** Requests once per key, and ignores responses for an earlier key. */
export function useResource<Value>(key: string, ask: () => Promise<Value>): ReadonlySignal<Resource<Value>> {
  const resource = useSignal<Resource<Value>>({ state: 'waiting' })
  useEffect(() => {
    let isCurrent = true
    resource.value = { state: 'waiting' }
    ask().then(
      (value) => {
        if (isCurrent) resource.value = { state: 'there', value }
      },
      (error: unknown) => {
        if (isCurrent) resource.value = { state: 'failed', message: (error as Error).message }
      },
    )
    return () => {
      isCurrent = false
    }
  }, [key])
  return resource
}

/** Runs work when the signals that `read` uses have not changed for a while (debounce). */
export function useQuietly(read: () => unknown, work: () => void, milliseconds: number): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useSignalEffect(() => {
    read()
    clearTimeout(timer.current)
    timer.current = setTimeout(work, milliseconds)
    return () => clearTimeout(timer.current)
  })
}
