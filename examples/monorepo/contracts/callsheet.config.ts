import { defineConfig } from 'callsheet/codegen'

// The worker implements every Tool. This package has no Activities, so the composed schemas need this setting.
export default defineConfig({ activities: ['bookCourier', 'distance', 'findPlace'] })
