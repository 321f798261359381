import type { DistanceActivity } from '@delivery/contracts'
import { convertDistance, getCompassDirection, getDistance } from 'geolib'

export const distance: DistanceActivity = ({ from, to, unit = 'km' }) => ({
  length: convertDistance(getDistance(from, to), unit),
  heading: getCompassDirection(from, to),
})
