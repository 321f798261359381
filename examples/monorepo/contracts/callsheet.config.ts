import { defineConfig } from 'callsheet/codegen'

// The worker implements every Tool under its own name, so the composed schemas say so here, where no Activity is.
export default defineConfig({ activities: ['bookCourier', 'distance', 'findPlace'] })
