import fc from 'fast-check';

// Loaded before each file of tests at night: for the properties that name no number of their own.
fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 1000 });
