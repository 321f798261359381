import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'

/** Members that are shown before somebody asks for more: a value of any size opens at once. */
const page = 100
/** Characters of a text that are shown before somebody asks for the rest. */
const longestText = 400

export interface JsonTreeProps {
  readonly value: unknown
  /** Levels that are open at first. */
  readonly open?: number
}

/** Shows any JSON value, with deep and long parts folded. All of it is rendered as text, since it may come from anywhere. */
export function JsonTree({ value, open = 2 }: JsonTreeProps) {
  return (
    <div class="json">
      <Node value={value} open={open} />
    </div>
  )
}

interface NodeProps {
  readonly name?: string | undefined
  readonly value: unknown
  readonly open: number
}

function Node({ name, value, open }: NodeProps) {
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="leaf">
        <Name name={name} />
        <Scalar value={value} />
      </div>
    )
  }
  return <Branch name={name} value={value} open={open} />
}

function Branch({ name, value, open }: NodeProps & { readonly value: object }) {
  const isOpen = useSignal(open > 0)
  const shown = useSignal(page)
  const id = useId()
  const isList = Array.isArray(value)
  const count = isList ? value.length : Object.keys(value).length
  if (count === 0) {
    return (
      <div class="leaf">
        <Name name={name} />
        <span class="mark">{isList ? '[]' : '{}'}</span>
      </div>
    )
  }
  const members = isOpen.value ? Object.entries(value).slice(0, shown.value) : []
  return (
    <div class="branch">
      <button
        type="button"
        class="twist"
        aria-expanded={isOpen.value}
        aria-controls={isOpen.value ? id : undefined}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <Name name={name} />
        <span class="mark">{isList ? '[' : '{'}</span>
        <span class="count">
          {count} {isList ? (count === 1 ? 'item' : 'items') : count === 1 ? 'member' : 'members'}
        </span>
        <span class="mark">{isList ? ']' : '}'}</span>
      </button>
      {isOpen.value && (
        <div class="members" id={id}>
          {members.map(([key, member]) => (
            <Node key={key} name={key} value={member} open={open - 1} />
          ))}
          {count > shown.value && (
            <button
              type="button"
              class="quiet"
              onClick={() => {
                shown.value += page * 5
              }}
            >
              {count - shown.value} more
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function Name({ name }: { readonly name: string | undefined }) {
  if (name === undefined) return null
  return <span class="json-key">{withEscapes(name)}</span>
}

function Scalar({ value }: { readonly value: unknown }) {
  const isWhole = useSignal(false)
  if (typeof value !== 'string') return <span class={typeof value}>{String(value)}</span>
  const isLong = value.length > longestText && !isWhole.value
  return (
    <span class="string">
      {isLong ? `${withEscapes(value.slice(0, longestText))}…` : asText(value)}
      {isLong && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            isWhole.value = true
          }}
        >
          all {value.length.toLocaleString('en')} characters
        </button>
      )}
    </span>
  )
}

/** Text that could be taken for something else is quoted. */
function asText(value: string): string {
  const isOther = /^(?:|true|false|null|\[\]|\{\}|[-\d.].*|\s.*|.*\s)$/.test(value)
  return withEscapes(isOther ? JSON.stringify(value) : value)
}

/** Characters that nobody sees, and that can make a text look like another one, except those that join letters. */
const unseen = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

function withEscapes(text: string): string {
  return text.replace(unseen, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`)
}
