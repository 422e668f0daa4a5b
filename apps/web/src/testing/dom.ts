import { configure } from '@testing-library/react';

// Less than a test's limit, so that what was waited for is told; a busy machine takes its time to load, ask and draw.
configure({ asyncUtilTimeout: 10_000 });
