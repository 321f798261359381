import { type Activities, Activity } from '@delivery/contracts'
import { bookCourier } from './activities/book-courier.js'
import { distance } from './activities/distance.js'
import { findPlace } from './activities/find-place.js'

/** The Tool that the model answers itself. Every other Tool must be in the list, or this file does not compile. */
type Latent = 'announce'

const activities = { bookCourier, distance, findPlace } satisfies Omit<Activities, Latent>

Activity.register('bookCourier', activities.bookCourier)
Activity.register('distance', activities.distance)
Activity.register('findPlace', activities.findPlace)
