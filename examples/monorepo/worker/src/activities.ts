import { type Activities, Activity } from '@delivery/contracts'
import { bookCourier } from './activities/book-courier.js'
import { distance } from './activities/distance.js'
import { findPlace } from './activities/find-place.js'

/** What the model does itself; everything else has to be here, or this file does not compile. */
type Latent = 'announce'

const activities = { bookCourier, distance, findPlace } satisfies Omit<Activities, Latent>

Activity.register('bookCourier', activities.bookCourier)
Activity.register('distance', activities.distance)
Activity.register('findPlace', activities.findPlace)
