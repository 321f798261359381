import { type ReadonlySignal, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** Something that is asked for: not there yet, there, or refused. */
export type Resource<Value> =
  | { readonly state: 'waiting' }
  | { readonly state: 'there'; readonly value: Value }
  | { readonly state: 'failed'; readonly message: string }

/** Asks once for each key, and forgets an answer that comes when another key is looked at. */
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

/** Runs work when signals that it reads have been still for a while. */
export function useQuietly(read: () => unknown, work: () => void, milliseconds: number): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useSignalEffect(() => {
    read()
    clearTimeout(timer.current)
    timer.current = setTimeout(work, milliseconds)
    return () => clearTimeout(timer.current)
  })
}
