import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'preact/hooks'

export interface JsonEditorProps {
  readonly label: string
  readonly text: string
  readonly onText: (text: string) => void
  /** Places of the text that are wrong, and why. */
  readonly marks?: readonly Mark[]
}

export interface Mark {
  readonly from: number
  readonly to: number
  readonly message: string
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, class: 'json-name' },
  { tag: tags.string, class: 'json-string' },
  { tag: tags.number, class: 'json-number' },
  { tag: tags.bool, class: 'json-boolean' },
  { tag: tags.null, class: 'json-boolean' },
])

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

/** An editor for JSON text. Tab leaves it, so that keyboard users are not trapped in it. */
export function JsonEditor({ label, text, onText, marks = [] }: JsonEditorProps) {
  const box = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const tell = useRef(onText)
  tell.current = onText

  useEffect(() => {
    const made = new EditorView({
      parent: box.current as HTMLDivElement,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorView.cspNonce.of(nonce),
          lineNumbers(),
          highlightSpecialChars(),
          history(),
          drawSelection(),
          bracketMatching(),
          json(),
          syntaxHighlighting(colours),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of((update) => {
            const isOwn = update.transactions.some((each) => each.isUserEvent('given'))
            if (update.docChanged && !isOwn) tell.current(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = made
    return () => made.destroy()
  }, [label])

  useEffect(() => {
    const made = view.current
    const shown = made?.state.doc.toString()
    if (!made || shown === text) return
    made.dispatch({ changes: { from: 0, to: made.state.doc.length, insert: text }, userEvent: 'given' })
  }, [text])

  useEffect(() => {
    const made = view.current
    if (!made) return
    const end = made.state.doc.length
    const found = marks.map(
      ({ from, to, message }): Diagnostic => ({
        from: Math.min(from, end),
        to: Math.min(Math.max(to, from), end),
        severity: 'error',
        message,
      }),
    )
    made.dispatch(setDiagnostics(made.state, found))
  }, [marks, text])

  return <div class="editor" ref={box} />
}
