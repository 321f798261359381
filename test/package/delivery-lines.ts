/** The output of the agent of `examples/monorepo`, wherever its Calls run. */
export const deliveryLines: readonly string[] = [
  '839 km to the N, 56 euros',
  'findPlace explicit succeeded { latitude: 48.8566, longitude: 2.3522 }',
  'findPlace explicit succeeded { latitude: 59.9139, longitude: 10.7522 }',
  "distance explicit succeeded { length: 834.8010120893979, heading: 'NNE' }",
  'announce latent succeeded Your parcel is on its way.',
  'bookCourier explicit failed Tool "bookCourier" cannot take this Call: /parcel/kilograms: expected a number <= 30, got 31.',
  '',
]
