import { calls, Tool } from '@delivery/contracts'

export interface Quote {
  readonly kilometres: number
  readonly heading: string
  readonly euros: number
}

/** Books a parcel between two cities. Every step is typed by the contract. */
export async function quote(from: string, to: string, kilograms: number): Promise<Quote> {
  const [start, end] = await Tool.all([calls.findPlace({ name: from }), calls.findPlace({ name: to })])
  const { length, heading } = await Tool(calls.distance({ from: start, to: end }))
  const { euros } = await Tool(
    calls.bookCourier({ kilometres: length, parcel: { kilograms }, note: `From ${from}, and heavy` }),
  )
  return { kilometres: Math.round(length), heading, euros }
}
