/** One file of the official suite, as `verdicts.txt` counts it. */
interface Verdict {
  readonly draft: string
  readonly keyword: string
  readonly counts: string
}

/** The counts of `verdicts.txt` as a Markdown table: a row per keyword, a column per draft. */
export function verdictTable(verdicts: string): string {
  const all = verdicts.trim().split('\n').map(parse)
  const keywords = [...new Set(all.map(({ keyword }) => keyword))].sort()
  const cell = (draft: string, keyword: string): string =>
    all.find((each) => each.draft === draft && each.keyword === keyword)?.counts ?? ''
  const rows = keywords.map(
    (keyword) => `| ${keyword} | ${cell('draft2020-12', keyword)} | ${cell('draft7', keyword)} |`,
  )
  return ['| Keyword | 2020-12 | draft-07 |', '| --- | --- | --- |', ...rows].join('\n')
}

function parse(line: string): Verdict {
  const match = /^(draft[^/]+)\/(\S+): (\d+) passed, (\d+) groups refused, (\d+) different$/.exec(line)
  if (!match) throw new Error(`no line of verdicts.txt: ${line}`)
  const [, draft = '', keyword = '', passed, refused, different] = match
  const notes = [
    ...(refused === '0' ? [] : [`${refused} refused`]),
    ...(different === '0' ? [] : [`${different} different`]),
  ]
  return { draft, keyword, counts: [passed, ...notes].join(', ') }
}
