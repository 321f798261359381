import type { FindPlaceActivity, Position } from '@delivery/contracts'

interface Place extends Position {
  readonly name: string
  readonly country: string
}

const places: readonly Place[] = [
  { name: 'Berlin', country: 'Germany', latitude: 52.52, longitude: 13.405 },
  { name: 'Paris', country: 'France', latitude: 48.8566, longitude: 2.3522 },
  { name: 'Paris', country: 'United States', latitude: 33.6609, longitude: -95.5555 },
  { name: 'Oslo', country: 'Norway', latitude: 59.9139, longitude: 10.7522 },
]

export const findPlace: FindPlaceActivity = ({ name, country }) => {
  const found = places.find((place) => place.name === name && (country ?? place.country) === place.country)
  if (!found) throw new Error(`No city ${name} is known${country === undefined ? '' : ` in ${country}`}`)
  return { latitude: found.latitude, longitude: found.longitude }
}
